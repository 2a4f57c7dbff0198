import { describe, expect, it } from 'vitest';
import { readArguments, readRequest } from './read-arguments.ts';

const one = `4A${'0'.repeat(28)}`;
/** Serial number of a release that gave them twenty octets. */
const other = `5B${'F'.repeat(38)}`;
const read = (args: readonly string[], listed = '') => readRequest(readArguments(args), listed);

describe('a list of forgotten serial numbers', () => {
  it('is of arguments and lines, each once, in any of the forms that programs print', () => {
    const colons = one.toLowerCase().replaceAll(/..(?!$)/g, '$&:');
    const listed = `# from the partner\n${colons}, 2026-11-23\n\n  ${other}\r\n`;
    expect(read([one], listed)).toEqual({
      serials: [one, other],
      reason: 'superseded',
      issuer: undefined,
      comment: undefined,
    });
  });

  it('has a reason of ours, an issuer and a comment', () => {
    const options = ['--reason', 'keyCompromise', '--issuer', 'issuing-2', '--comment', 'restored'];
    expect(read([...options, one])).toEqual({
      serials: [one],
      reason: 'keyCompromise',
      issuer: 'issuing-2',
      comment: 'restored',
    });
  });

  it('is refused whole, with all its faults', () => {
    expect(read(['--reason', 'lost', one, 'ABC'], `F${one.slice(1)}\n`)).toEqual({
      faults: [
        expect.stringMatching(/^lost is no reason: unspecified, keyCompromise/),
        'ABC is none of our serial numbers',
        `F${one.slice(1)} is none of our serial numbers`,
      ],
    });
    expect(read([])).toEqual({ faults: ['no serial number was given'] });
  });
});
