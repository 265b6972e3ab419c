/** Opens the page of a record. */
export function openRecord(list: string, id: string): void {
  location.hash = `#/${list}/${encodeURIComponent(id)}`;
}
