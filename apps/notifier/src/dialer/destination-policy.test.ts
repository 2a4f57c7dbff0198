import { readNetworks } from '@rubrica/process/networks';
import { describe, expect, it } from 'vitest';
import { checkAddress, checkUrl, ForbiddenDestinationError } from './destination-policy.ts';

const strict = { allowLoopback: false };
const messageFor = (result: unknown) =>
  result instanceof ForbiddenDestinationError ? result.message : 'allowed';
const messageOf = (text: string, policy = strict) => messageFor(checkUrl(text, policy));

describe('checkUrl', () => {
  it.each(['https://partner.example/hook', 'https://partner.example:8443/', 'https://partner.example./?a=1'])(
    'lets %s pass to the look-up',
    (text) => {
      expect(messageOf(text)).toBe('allowed');
    },
  );

  it.each([
    ['ftp://partner.example/', 'the callback address is no http or https address'],
    ['file:///etc/passwd', 'the callback address is no http or https address'],
    ['partner.example/hook', 'the callback address is no http or https address'],
    ['https://', 'the callback address is no http or https address'],
    ['https://bank.example@10.0.0.1/', 'the callback address holds a user name'],
    ['https://:secret@partner.example/', 'the callback address holds a user name'],
    ['https://partner.example:22/', 'port 22 is none of a web receiver and is not called'],
    ['https://partner.example:6379/', 'port 6379 is none of a web receiver and is not called'],
    ['https://partner.example:0/', 'port 0 is none of a web receiver and is not called'],
  ])('refuses %s and says: %s', (text, said) => {
    expect(messageOf(text)).toBe(said);
  });

  it('leaves ports alone on a developer’s machine', () => {
    expect(messageOf('http://127.0.0.1:81/', { allowLoopback: true })).toBe('allowed');
  });
});

describe('every spelling of a forbidden host', () => {
  it.each([
    ['http://0177.0.0.1/', 'loopback'],
    ['http://2130706433/', 'loopback'],
    ['http://0x7f000001/', 'loopback'],
    ['http://0x7f.1/', 'loopback'],
    ['http://127.1/', 'loopback'],
    ['http://127.0.0.1./', 'loopback'],
    ['http://%31%32%37.0.0.1/', 'loopback'],
    ['http://１２７.０.０.１/', 'loopback'],
    ['https://[::1]/', 'loopback'],
    ['https://[::ffff:127.0.0.1]/', 'loopback'],
    ['https://[0:0:0:0:0:ffff:a9fe:a9fe]/', 'link-local'],
    ['https://0xa9fea9fe/', 'link-local'],
    ['https://025177524776/', 'link-local'],
    ['https://169.254.169.254./', 'link-local'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'stands for another'],
    ['https://[2002:a9fe:a9fe::1]/', 'stands for another'],
    ['https://100.100.100.200/', 'shared'],
    ['https://0/', 'no address of a host'],
  ])('%s is judged as what it is', (text, word) => {
    const url = checkUrl(text, strict);
    if (!(url instanceof URL)) throw url;
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    const refusal = checkAddress({ protocol: url.protocol, hostname, address: hostname }, strict);
    expect(refusal?.message).toContain(word);
  });
});

describe('networks that configuration allows', () => {
  const policy = {
    allowLoopback: false,
    allowedNetworks: readNetworks(['10.20.0.0/16', '192.168.7.9', 'fd12::/48']),
  };
  const said = (address: string, protocol = 'https:') =>
    messageFor(checkAddress({ protocol, hostname: 'partner.example', address }, policy));

  it.each(['10.20.1.1', '192.168.7.9', 'fd12::7', '::ffff:10.20.1.1'])('are called at %s', (address) => {
    expect(said(address)).toBe('allowed');
  });

  it.each(['10.21.0.1', '192.168.7.8', 'fd13::7', '127.0.0.1', '169.254.169.254'])(
    'do not open %s',
    (address) => {
      expect(said(address)).toContain('is not called');
    },
  );

  it('are called with https only', () => {
    expect(said('10.20.1.1', 'http:')).toBe('partner.example must be called with https');
  });

  it.each(['10.0.0.0/33', '0.0.0.0/0', '::/0', 'partner.example', '10.0.0.0/8/8', '10.0.0.0/'])(
    'are not read from %j',
    (text) => {
      expect(() => readNetworks([text])).toThrow(text);
    },
  );
});
