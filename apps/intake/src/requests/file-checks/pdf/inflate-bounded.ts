import { constants, inflateRawSync } from 'node:zlib';

export type Inflated = { readonly bytes: Buffer; readonly isBroken: boolean } | 'too-large';

/** Returns whether the two bytes before deflate data are present (RFC 1950, section 2.2). */
export function hasZlibHeader(bytes: Buffer, at: number): boolean {
  return at + 2 <= bytes.length && ((bytes[at] as number) & 0x0f) === 8 && bytes.readUInt16BE(at) % 31 === 0;
}

/**
 * Unpacks zlib data as a viewer would: as far as possible, without regard to the checksum, even if other
 * bytes follow. It never unpacks more than `maxBytes`.
 */
export function inflateBounded(zlib: Buffer, maxBytes: number): Inflated {
  const deflated = zlib.subarray(2);
  const whole = tryInflate(deflated, maxBytes);
  if (whole !== 'broken') return whole;
  // Searches the longest beginning that unpacks: a viewer shows what came before the damage.
  let [good, bad]: [number, number] = [0, deflated.length];
  let best: Buffer = Buffer.alloc(0);
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = tryInflate(deflated.subarray(0, middle), maxBytes);
    if (part === 'too-large') return part;
    if (part === 'broken') bad = middle;
    else [good, best] = [middle, part.bytes];
  }
  return { bytes: best, isBroken: true };
}

function tryInflate(deflated: Buffer, maxBytes: number): Inflated | 'broken' {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBytes };
    return { bytes: inflateRawSync(deflated, options), isBroken: false };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'broken';
  }
}
