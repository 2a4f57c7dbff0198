/** The lease has expired and another worker has leased the row: a write of the former worker must not count. */
export class FenceLost extends Error {
  override readonly name = 'FenceLost';
  readonly table: string;
  readonly key: string;
  readonly fence: number;
  constructor(row: { table: string; key: string; fence: number }) {
    super(`${row.table} ${row.key} is no longer leased under fence ${row.fence}`);
    this.table = row.table;
    this.key = row.key;
    this.fence = row.fence;
  }
}
