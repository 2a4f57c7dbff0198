import { afterAll, describe, expect, it } from 'vitest';
import { createKeyrings } from '../../test/keyrings.ts';
import { generateServiceKeys } from './generate-keys.ts';
import { addKey, endKey, useKey } from './rotate-keys.ts';

const { keys, keyringOf, [Symbol.asyncDispose]: remove } = await createKeyrings();
afterAll(remove);

describe('a MAC', () => {
  it('holds for the same data and the same service alone', async () => {
    const [intake, generation] = [await keyringOf('intake'), await keyringOf('generation')];
    const mac = intake.mac('row');
    expect(intake.isMac('row', mac)).toBe(true);
    expect(intake.isMac('row ', mac)).toBe(false);
    expect(generation.isMac('row', mac)).toBe(false);
    const [kid, value = ''] = mac.split('.');
    const flipped = `${value[0] === 'A' ? 'B' : 'A'}${value.slice(1)}`;
    for (const made of [
      '',
      '.',
      kid ?? '',
      `${kid}.`,
      `${kid}.${value.slice(2)}`,
      `.${value}`,
      `${kid}.${flipped}`,
    ])
      expect([made, intake.isMac('row', made)]).toEqual([made, false]);
  });

  it('is checked by a former key and made by the present one, until the former is ended', async () => {
    const before = keys.intake;
    const mac = (await keyringOf('intake')).mac('row');
    const { set, kid } = addKey(before, 'intake', 'mac');
    expect((await keyringOf('intake', set)).isPresentMac(mac)).toBe(true);
    const rotated = await keyringOf('intake', useKey(set, kid));
    expect(rotated.isMac('row', mac)).toBe(true);
    expect(rotated.isPresentMac(mac)).toBe(false);
    expect(rotated.isPresentMac(rotated.mac('row'))).toBe(true);
    const ended = await keyringOf('intake', endKey(useKey(set, kid), mac.split('.')[0] as string));
    expect(ended.isMac('row', mac)).toBe(false);
  });

  it('of a key that was ended counts for what was written before its end, and for nothing later', async () => {
    const before = keys.intake;
    const made = (await keyringOf('intake')).mac('entry');
    const { set, kid } = addKey(before, 'intake', 'mac');
    const endedAt = new Date('2026-11-28T12:00:00Z');
    const next = endKey(useKey(set, kid), made.split('.')[0] as string, endedAt);
    const ended = await keyringOf('intake', next);
    const at = (ms: number) => ended.isMacOfTime('entry', made, endedAt.getTime() + ms);
    expect([at(-1), at(0), at(1), at(Number.NaN)]).toEqual([true, true, false, false]);
    expect(ended.isMacOfTime('other', made, 0)).toBe(false);
    expect(ended.isMacOfTime('entry', ended.mac('entry'), endedAt.getTime() + 1)).toBe(true);
    expect(ended.mac('row').split('.')[0]).toBe(kid);
    expect(() => useKey(next, made.split('.')[0] as string)).toThrow('not in both files');
  });

  it('is made by a key that stands in no peers file, and by none where a service has no database', async () => {
    const { privateJwks, publicJwks } = generateServiceKeys('intake');
    expect(privateJwks.keys.map(({ use }) => use)).toContain('mac');
    expect(publicJwks.keys.map(({ use }) => use)).toEqual(['sig', 'enc', 'audit']);
    expect(generateServiceKeys('gateway').privateJwks.keys.map(({ use }) => use)).toEqual(['sig', 'enc']);
    const gateway = await keyringOf('gateway');
    expect(() => gateway.mac('row')).toThrow('no key for MACs');
    expect(gateway.isMac('row', 'a.b')).toBe(false);
  });
});
