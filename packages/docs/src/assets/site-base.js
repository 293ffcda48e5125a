/** Address of the site's root, without a slash at its end. */
export const siteBase = () =>
  new URL(document.body.dataset.root || "./", location.href).href.replace(/\/+$/, "");
