// Applies the stored colour scheme before the first paint. It is no module, because modules run after it.
(() => {
  try {
    const theme = localStorage.getItem('holdfast.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is blocked: the scheme of the system applies.
  }
})();
