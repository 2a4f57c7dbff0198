/**
 * Selects the CRL that a certificate names, fixed at issuance: 0, the complete one, without shards, otherwise 1 to
 * `shards`. Serial numbers are random, so shards fill evenly. A later change of the number affects only later
 * certificates.
 */
export function selectCrlShard(serial: Uint8Array, shards: number): number {
  if (shards === 1) return 0;
  const tail = serial.slice(-4).reduce((sum, byte) => sum * 256 + byte, 0);
  return 1 + (tail % shards);
}

/** Issuer and shard of a CRL file. */
export interface CrlFile {
  readonly issuer: string;
  readonly shard: number;
  /** Delta with the changes since a complete list; only shard 0 has one. */
  readonly isDelta: boolean;
}

/**
 * Formats the file name of a CRL without its ending. The `s` separates shard 2 of `issuing` from a later authority
 * `issuing-2`.
 */
export function formatCrlName({ issuer, shard, isDelta }: CrlFile): string {
  if (isDelta) return `${issuer}-delta`;
  return shard === 0 ? issuer : `${issuer}-s${shard}`;
}

export function parseCrlName(name: string): CrlFile {
  const [, whole] = /^(.+)-delta$/.exec(name) ?? [];
  if (whole !== undefined) return { issuer: whole, shard: 0, isDelta: true };
  const [, issuer = name, shard = '0'] = /^(.+)-s([1-9]\d{0,5})$/.exec(name) ?? [];
  return { issuer, shard: Number(shard), isDelta: false };
}
