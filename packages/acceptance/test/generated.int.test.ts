import { generatedFiles } from '@rubrica/wiring/documents';
import { describe, expect, it } from 'vitest';

describe('what is written from the tables of calls, streams, consumers and metrics', async () => {
  const files = await generatedFiles();

  it.each(files.map((file) => [file.url.pathname.split('/').slice(-3).join('/'), file] as const))(
    '%s is what `npm run generate` writes',
    (_, { present, text }) => {
      expect(present).toBe(text);
    },
  );

  it('is the rights and users of the bus, and the metrics', () => {
    expect(files).toHaveLength(2);
  });
});
