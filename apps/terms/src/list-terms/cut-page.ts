/**
 * As many of the rows as one answer may hold: at most `limit`, and no more text than `maxBytes`, but always one.
 * Give it one row more than the limit: that is how it knows whether another page follows.
 */
export function cutPage<Row extends { readonly content: string }>(
  rows: readonly Row[],
  { limit, maxBytes }: { limit: number; maxBytes: number },
): { items: Row[]; hasMore: boolean } {
  const items: Row[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    bytes += Buffer.byteLength(JSON.stringify(row.content));
    if (items.length > 0 && bytes > maxBytes) break;
    items.push(row);
  }
  return { items, hasMore: items.length < rows.length };
}
