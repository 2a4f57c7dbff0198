import { describe, expect, it } from 'vitest';
import { isWebPort } from './web-ports.ts';

describe('isWebPort', () => {
  it.each(['', '443', '8443', '1024', '8080', '9443', '65535'])('lets port "%s" pass', (port) => {
    expect(isWebPort(port)).toBe(true);
  });

  it.each(['0', '1', '22', '25', '80', '465', '587', '993', '1023'])(
    'holds back the system port %s',
    (port) => {
      expect(isWebPort(port)).toBe(false);
    },
  );

  it.each([
    '2375',
    '2379',
    '3306',
    '4222',
    '5060',
    '5432',
    '6000',
    '6379',
    '6443',
    '6667',
    '9200',
    '10250',
    '11211',
    '27017',
  ])('holds back port %s, where another service listens', (port) => {
    expect(isWebPort(port)).toBe(false);
  });
});
