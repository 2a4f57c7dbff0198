import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const env = {
  NATS_URL: 'nats://127.0.0.1',
  NATS_USER: 'gateway',
  NATS_PASSWORD: 'x',
  KEYS_FILE: 'k',
  PEERS_FILE: 'p',
  MANAGEMENT_PORT: '0',
  PORT: '0',
  BASE_URL: 'https://api.example/',
};

test('the defaults are those of the interface', () => {
  const config = readConfig(env);
  expect(config.http.baseUrl).toBe('https://api.example');
  expect(config.rateLimits).toEqual({ partner: 6_000, address: 600, token: 30 });
  expect(config.limits).toMatchObject({
    fieldBytes: 262_144,
    imageBytes: 5_000_000,
    pdfBytes: 10_000_000,
    videoBytes: 10_000_000,
  });
});

test('limits of single operations are read by name', () => {
  expect(
    readConfig({ ...env, BODY_LIMITS_BYTES: 'token=100, cancelLinkedPartner=200' }).limits.bodyBytes,
  ).toEqual({ token: 100, cancelLinkedPartner: 200 });
  for (const wrong of ['nothing=1', 'token', 'toString=1', 'token=1e3']) {
    expect(() => readConfig({ ...env, BODY_LIMITS_BYTES: wrong })).toThrow('BODY_LIMITS_BYTES');
  }
});
