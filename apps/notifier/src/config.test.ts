import { ConfigError } from '@rubrica/process/config';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const env = {
  NATS_URL: 'nats://127.0.0.1:4222',
  NATS_USER: 'notifier',
  NATS_PASSWORD: 'x',
  DATABASE_URL: 'postgres://notifier:x@127.0.0.1/rubrica',
  KEYS_FILE: 'keys.json',
  PEERS_FILE: 'peers.json',
  MANAGEMENT_PORT: '0',
  BASE_URL: 'https://rubrica.example',
  SMTP_URL: 'smtp://127.0.0.1:25',
  MAIL_FROM: 'Rubrica <no-reply@rubrica.example>',
};

describe('the configuration', () => {
  it('calls loopback only where it is told to, and gives an attempt 15 s', () => {
    expect(readConfig(env).webhook).toMatchObject({ allowLoopback: false, timeoutSeconds: 15 });
    const loopback = { ...env, CALLBACK_ALLOW_LOOPBACK: 'true' };
    const sandbox = { ...loopback, SANDBOX: 'true', BASE_URL: 'http://127.0.0.1:3000' };
    expect(readConfig(sandbox).webhook.allowLoopback).toBe(true);
    expect(() => readConfig(loopback)).toThrow('CALLBACK_ALLOW_LOOPBACK is for development and tests');
  });

  it('names every fault at once', () => {
    const faulty = {
      ...env,
      SMTP_URL: 'mail',
      MAIL_FROM: 'nobody',
      WEBHOOK_CONCURRENCY: '0',
      CALLBACK_ALLOWED_NETWORKS: '10.0.0.0/8, 10.0.0.0/40',
    };
    const faults = () => readConfig(faulty);
    expect(faults).toThrow(ConfigError);
    for (const name of ['SMTP_URL', 'MAIL_FROM', 'WEBHOOK_CONCURRENCY', '10.0.0.0/40'])
      expect(faults).toThrow(name);
  });

  it('takes the settings of DKIM together or not at all', () => {
    const dkim = { DKIM_DOMAIN: 'rubrica.example', DKIM_SELECTOR: 's', DKIM_KEY_FILE: 'dkim.pem' };
    expect(readConfig({ ...env, ...dkim }).mail.dkim.selector).toBe('s');
    for (const name of Object.keys(dkim)) {
      expect(() => readConfig({ ...env, ...dkim, [name]: undefined })).toThrow('belong together');
    }
  });

  it('never quotes the token of the SMS provider', () => {
    const faults = () => readConfig({ ...env, SMS_URL: 'sms.example', SMS_TOKEN: 'top secret' });
    expect(faults).toThrow(/SMS_URL[\s\S]*SMS_TOKEN/);
    expect(faults).not.toThrow('top secret');
  });
});
