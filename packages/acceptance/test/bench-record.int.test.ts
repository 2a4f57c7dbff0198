import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { prepareQuery } from '../bench/load/prepared-request.ts';
import { readCommand } from '../bench/options.ts';
import { figureRow } from '../bench/record/figures.ts';
import { fallen, readWaiting, resultsFile, withTable } from '../bench/record/recorded-table.ts';

const documentWith = (table: string) =>
  `# Results\n\nBefore it.\n\n${table}\n\nAfter it.\n\n| Other | Table |\n| --- | --- |\n`;
const empty = documentWith('| Key | Figure | Value | Ratio | To |\n| --- | --- | --- | --- | --- |');
const figures = [
  { key: 'status', value: '900/s', ratio: 0.4 },
  { key: 'cpu-registration', value: '5.00 ms', ratio: 4.25 },
] as const;

describe('the kept table', () => {
  it('reads back as it was written, and leaves the text around it', () => {
    const written = withTable(empty, figures);
    expect(readWaiting(written)).toEqual(
      new Map([
        ['status', 0.4],
        ['cpu-registration', 4.25],
      ]),
    );
    expect(written.startsWith('# Results\n\nBefore it.\n\n| Key ')).toBe(true);
    expect(written.endsWith('|\n\nAfter it.\n\n| Other | Table |\n| --- | --- |\n')).toBe(true);
    expect(withTable(written, figures)).toBe(written);
    expect(readWaiting(withTable(written, []))).toEqual(new Map());
  });

  it.each([
    ['a ratio that is no number', '| status | status queries | 900/s | fast | it |'],
    ['a figure that nobody measures', '| latency | latency | 9 ms | 0.400 | it |'],
  ])('is not read with %s', (_what, row) => {
    const table = `| Key | Figure | Value | Ratio | To |\n| --- | --- | --- | --- | --- |\n${row}`;
    expect(() => readWaiting(documentWith(table))).toThrow(row);
  });

  it('is not read where it is missing', () => {
    expect(() => readWaiting('# Results\n')).toThrow('no table');
  });

  it('of this repository can be read', async () => {
    expect(() => readWaiting('')).toThrow();
    expect([...readWaiting(await readFile(resultsFile, 'utf8')).values()].every((ratio) => ratio > 0)).toBe(
      true,
    );
  });
});

describe('a figure', () => {
  it('has fallen by more than a fifth, and not by less, and not where nothing was kept', () => {
    const kept = (ratio: number) => new Map([['status', ratio]] as const);
    expect(fallen(figures, kept(0.51))).toEqual([figures[0]]);
    expect(fallen(figures, kept(0.49))).toEqual([]);
    expect(fallen(figures, new Map())).toEqual([]);
  });

  it('is shown beside what is kept and what others reached', () => {
    const [status] = figures;
    expect(figureRow(status, 0.5)).toMatchObject({
      value: '900/s',
      note: expect.stringContaining('kept 0.500'),
    });
    expect(figureRow(status, undefined).note).toMatch(/not kept yet; 22 Nov 2026: floor .*; peer .*; ours /);
  });
});

it('a query is sent as it is', () => {
  const { bytes } = prepareQuery({ url: new URL('http://127.0.0.1:1/status?a=b'), token: 't' });
  expect(bytes.toString()).toBe(
    'GET /status?a=b HTTP/1.1\r\nhost: 127.0.0.1:1\r\nauthorization: Bearer t\r\n\r\n',
  );
});

it('the command keeps what it measured only where it is asked to', () => {
  expect(readCommand([])).toMatchObject({ isRecord: false });
  expect(readCommand(['--record', '--quick'])).toMatchObject({ isRecord: true, plan: { rounds: 2 } });
});
