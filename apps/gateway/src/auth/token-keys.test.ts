import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadTokenKeys } from './token-keys.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'token-keys-'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['text that is not JSON', 'the secret d', 'are not JSON'],
  ['no keys', '{"keys":[]}', 'at: keys'],
  [
    'a key of another curve',
    '{"keys":[{"kty":"EC","crv":"P-384","kid":"a","x":"1","y":"2","d":"the secret d"}]}',
    'keys.0.crv',
  ],
])('%s is refused by name of the file, without quoting it', async (_what, content, reason) => {
  const path = join(folder, 'keys.json');
  await writeFile(path, content);
  const error = await loadTokenKeys(path).catch((cause: unknown) => cause as Error);
  expect(String(error)).toContain(path);
  expect(String(error)).toContain(reason);
  expect(`${error} ${(error as Error).cause ?? ''}`).not.toContain('the secret d');
});

test('a file that is not there is named', async () => {
  await expect(loadTokenKeys(join(folder, 'nothing.json'))).rejects.toThrow('nothing.json cannot be read');
});
