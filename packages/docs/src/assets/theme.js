// Before the first paint: the reader's choice of light or dark, where one was made.
try {
  const theme = localStorage.getItem("lamplight-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the system's choice holds.
}
