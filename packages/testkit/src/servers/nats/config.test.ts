import { expect, test } from 'vitest';
import { natsConfig } from './config.ts';

const base = { port: 4222, storeDirectory: '/tmp/a "quoted" folder', serverName: 'rubrica' };

test('paths are quoted, so that one with spaces or quotes stays one value', () => {
  expect(natsConfig(base)).toContain('store_dir: "/tmp/a \\"quoted\\" folder"');
});

test('a user without lists may do everything, one with lists only that', () => {
  const text = natsConfig({
    ...base,
    users: [
      { user: 'all', password: 'x' },
      { user: 'some', password: 'y', publish: { allow: ['a.>'], deny: ['a.b'] }, allowResponses: true },
    ],
  });
  expect(text).toContain('{ user: "all", password: "x" }');
  expect(text).toContain('permissions: { publish: { allow: ["a.>"], deny: ["a.b"] }, allow_responses');
});
