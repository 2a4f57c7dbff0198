/**
 * Which CRL a certificate will name, fixed when it is issued: 0, the complete one, while there are no shards, else one of 1 to `shards`.
 * Serial numbers are random, so the shards fill evenly. Another number of shards later concerns later certificates only.
 */
export function crlShardOf(serial: Uint8Array, shards: number): number {
  if (shards === 1) return 0;
  const tail = serial.slice(-4).reduce((sum, byte) => sum * 256 + byte, 0);
  return 1 + (tail % shards);
}

/** Whose CRL a file is. */
export interface CrlFile {
  readonly issuer: string;
  readonly shard: number;
  /** What has changed since a complete list, which only shard 0 has. */
  readonly isDelta: boolean;
}

/**
 * Name of a CRL's file, without its ending. The `s` keeps shard 2 of `issuing` apart from the authority `issuing-2`
 * that may follow it.
 */
export function crlName({ issuer, shard, isDelta }: CrlFile): string {
  if (isDelta) return `${issuer}-delta`;
  return shard === 0 ? issuer : `${issuer}-s${shard}`;
}

export function parseCrlName(name: string): CrlFile {
  const [, whole] = /^(.+)-delta$/.exec(name) ?? [];
  if (whole !== undefined) return { issuer: whole, shard: 0, isDelta: true };
  const [, issuer = name, shard = '0'] = /^(.+)-s([1-9]\d{0,5})$/.exec(name) ?? [];
  return { issuer, shard: Number(shard), isDelta: false };
}
