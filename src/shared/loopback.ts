/** Returns true if a host name or an address means this machine only. IPv6 may stand in brackets, as in a URL. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[?::1\]?|\[?::ffff:127(\.\d{1,3}){3}\]?|localhost|.+\.localhost)$/i.test(host);
}
