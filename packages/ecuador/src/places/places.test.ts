import { describe, expect, it } from 'vitest';
import { cantons, findCanton, findProvince, provinces } from './places.ts';

describe('provinces and cantons', () => {
  it('are complete, sorted and without repeated codes', () => {
    expect([provinces.length, cantons.length]).toEqual([24, 222]);
    for (const list of [provinces, cantons]) {
      const codes = list.map(({ code }) => code);
      expect(codes).toEqual([...new Set(codes)].sort());
    }
  });

  it('keep every canton under its province', () => {
    expect(cantons.filter(({ code, provinceCode }) => !code.startsWith(provinceCode))).toEqual([]);
  });

  it('cannot be altered by a caller', () => {
    expect(() => Object.assign(provinces[0] ?? {}, { name: 'X' })).toThrow(TypeError);
  });
});

describe('findProvince', () => {
  it.each(['Manabí', 'MANABI', ' manabi ', 'Manabi\u0301', '13'])('finds Manabí by %j', (text) => {
    expect(findProvince(text)).toMatchObject({ code: '13', name: 'Manabí' });
  });

  it('finds every province by its own name', () => {
    expect(provinces.map(({ name }) => findProvince(name))).toEqual(provinces);
  });

  it.each(['', 'Atlantis', '__proto__', '25'])('finds nothing for %j', (text) => {
    expect(findProvince(text)).toBeUndefined();
  });
});

describe('findCanton', () => {
  it.each(['Oña', 'ona', 'OÑA', '0110'])('finds Oña by %j', (text) => {
    expect(findCanton(text)).toEqual({ code: '0110', name: 'Oña', provinceCode: '01' });
  });

  it('finds every canton by its name and province', () => {
    expect(cantons.map(({ name, provinceCode }) => findCanton(name.toUpperCase(), provinceCode))).toEqual(
      cantons,
    );
  });

  it('tells apart cantons of the same name by their province', () => {
    expect(findCanton('Bolívar')?.provinceCode).toBe('04');
    expect(findCanton('bolivar', 'Manabi')?.provinceCode).toBe('13');
  });

  it('finds nothing in another or an unknown province', () => {
    expect(findCanton('Quito', 'Azuay')).toBeUndefined();
    expect(findCanton('Quito', 'Atlantis')).toBeUndefined();
  });
});
