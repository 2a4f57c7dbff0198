/**
 * Cuts the rows to one page: at most `limit` rows and `maxBytes` of content, but at least one row. Pass one row more
 * than the limit; the extra row shows that another page follows.
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
