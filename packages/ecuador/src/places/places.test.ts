import { describe, expect, it } from 'vitest';
import { cityNames } from './cities.ts';
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

  it.each([
    ['Puyo', 'Pastaza', '1601'],
    ['Macas', 'Morona Santiago', '1401'],
    ['SANGOLQUI', 'Pichincha', '1705'],
    ['Machachi', 'Pichincha', '1703'],
    ['El Coca', 'Orellana', '2201'],
    ['coca', 'Orellana', '2201'],
    ['Nueva Loja', 'Sucumbíos', '2101'],
    ['Puerto Ayora', 'Galápagos', '2003'],
    ['Bahía de Caráquez', 'Manabí', '1314'],
    ['Bahia-de-Caraquez', 'Manabi', '1314'],
    ['Baños-de-Agua-Santa', 'Tungurahua', '1802'],
    ['San Miguel', 'Cotopaxi', '0505'],
    ['San Miguel', 'Bolívar', '0205'],
    ['Yaguachi', 'Guayas', '0920'],
  ])('finds the canton of the city %s of %s', (city, province, code) => {
    expect(findCanton(city, province)?.code).toBe(code);
  });

  it('finds a canton by each of its cities, in its province and not in another', () => {
    for (const [code, names] of Object.entries(cityNames)) {
      const provinceCode = code.slice(0, 2);
      for (const name of names) expect(findCanton(name, provinceCode), name).toMatchObject({ code });
    }
    expect(findCanton('Puyo', 'Napo')).toBeUndefined();
  });

  it('finds a canton by its own name before another by that of its seat', () => {
    expect(findCanton('Sucre', 'Manabí')?.code).toBe('1314');
    expect(findCanton('Eloy Alfaro')?.code).toBe('0802');
  });
});
