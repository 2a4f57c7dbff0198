/**
 * Which CRL a certificate will name, fixed when it is issued: 0, the complete one, while there are no shards, else one of 1 to `shards`.
 * Serial numbers are random, so the shards fill evenly. Another number of shards later concerns later certificates only.
 */
export function crlShardOf(serial: Uint8Array, shards: number): number {
  if (shards === 1) return 0;
  const tail = serial.slice(-4).reduce((sum, byte) => sum * 256 + byte, 0);
  return 1 + (tail % shards);
}

/**
 * Name of a CRL's file, without its ending. The `s` keeps shard 2 of `issuing` apart from the authority `issuing-2`
 * that may follow it.
 */
export function crlName(issuer: string, shard: number): string {
  return shard === 0 ? issuer : `${issuer}-s${shard}`;
}

/** Whose CRL a file is. */
export function parseCrlName(name: string): { issuer: string; shard: number } {
  const [, issuer = name, shard = '0'] = /^(.+)-s([1-9]\d{0,5})$/.exec(name) ?? [];
  return { issuer, shard: Number(shard) };
}
