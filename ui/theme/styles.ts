// Style sheets of every screen; parts that use Mantine import its layered sheets themselves. The order matters: our
// rules follow Mantine's, and print.css overrides base.css.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import './tokens.css'
import './mantine-variables.css'
import './base.css'
import './print.css'
