import fc from 'fast-check';

/** A file damaged in one to six places: octets changed, dropped or the end cut off. */
export function mutated(good: Uint8Array): fc.Arbitrary<Uint8Array> {
  const edit = fc.record({
    at: fc.nat(good.length - 1),
    value: fc.nat(255),
    kind: fc.constantFrom('set', 'set', 'set', 'drop', 'insert', 'cut'),
  });
  return fc.array(edit, { minLength: 1, maxLength: 6 }).map((edits) => {
    const bytes = [...good];
    for (const { at, value, kind } of edits) {
      if (kind === 'set') bytes[Math.min(at, bytes.length)] = value;
      else if (kind === 'cut') bytes.length = Math.min(at, bytes.length);
      else bytes.splice(at, kind === 'drop' ? 1 : 0, ...(kind === 'insert' ? [value] : []));
    }
    return Uint8Array.from(bytes);
  });
}
