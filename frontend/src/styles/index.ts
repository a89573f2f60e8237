// The order of the layers is stated first in tokens.css.
import './tokens.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './base.css';
import './parts.css';
import './ansi.css';
