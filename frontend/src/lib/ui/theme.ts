const name = 'countersign-theme';
const yearSeconds = 365 * 24 * 60 * 60;

/** Shows the theme of the settings; anything but light and dark leaves it to the system. */
export function showTheme(theme: string): void {
  const { dataset } = document.documentElement;
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  else delete dataset.theme;
  keep(dataset.theme ?? '');
}

/** Keeps the theme for the next load, where public/theme.js reads it before anything is drawn. */
function keep(theme: string): void {
  const age = theme ? yearSeconds : 0;
  document.cookie = `${name}=${theme}; path=/; max-age=${age}; samesite=strict`;
  try {
    if (theme) localStorage.setItem(name, theme);
    else localStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing begins as the system is set.
  }
}
