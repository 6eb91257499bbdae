// The layered sheets of the few Mantine parts that every screen needs; a part used by one screen imports its own.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import './tokens.css'
import './mantine-variables.css'
import './base.css'
