import { describe, expect, it } from 'vitest';
import { numberParameters } from './named-parameters.ts';
import { statement, toColumns } from './statement.ts';

describe('the parameters of a statement', () => {
  it('are numbered in the order in which they are first named', () => {
    expect(numberParameters('select :second, :first::text, :second')).toEqual({
      text: 'select $1, $2::text, $1',
      names: ['second', 'first'],
    });
  });

  it('are not seen in quoted text, quoted names, comments and casts', () => {
    const sql = `select 'mail:' || id, to_char(at, 'HH24:MI:SS'), 'it''s :no', ":no", a::int[] -- :no
      from t where id = :id`;
    expect(numberParameters(sql)).toEqual({ text: sql.replace(':id', '$1'), names: ['id'] });
  });
});

describe('a statement', () => {
  const rename = statement<{ id: string; name: string | null }>({
    name: 'rename',
    sql: 'update t set name = :name where id = :id',
  });

  it('is bound by the names of its parameters', () => {
    expect(rename.bind({ id: 'a', name: null })).toEqual({
      name: 'rename',
      text: 'update t set name = $1 where id = $2',
      params: [null, 'a'],
      emits: false,
      groupCommit: false,
    });
  });

  it('refuses to run without one of its parameters', () => {
    expect(() => rename.bind({ id: 'a' } as never)).toThrow('rename: the parameter name is missing');
  });

  it('takes what it needs of a larger object', () => {
    const row = { id: 'a', name: 'b', colour: 'red' };
    expect(rename.bind(row).params).toEqual(['b', 'a']);
  });
});

it('rows become a list for each column that is named', () => {
  const rows = [
    { id: 'a', fence: 1, secret: 'x' },
    { id: 'b', fence: 2, secret: 'y' },
  ];
  expect(toColumns(rows, ['id', 'fence'])).toEqual({ id: ['a', 'b'], fence: [1, 2] });
});
