const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0f6e56"/><circle cx="16" cy="16" r="9" fill="none" stroke="#fff" stroke-width="2.5"/><path d="M11.5 16.5l3 3 6-6.5" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The address of the sign of the package, which the page's policy lets it show. */
export const SIGN: string = `data:image/svg+xml,${encodeURIComponent(DRAWING)}`;
