// The sheets that every screen needs; a part that uses Mantine imports that part's layered sheet itself. In this order: rules
// of ours come after those of Mantine, and print.css changes what base.css says.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import './tokens.css'
import './mantine-variables.css'
import './base.css'
import './print.css'
