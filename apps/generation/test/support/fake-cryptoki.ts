import type { Cryptoki } from '../../src/issuers/pkcs11/cryptoki.ts';
import { Pkcs11Error } from '../../src/issuers/pkcs11/return-values.ts';

export interface FakeCryptoki extends Cryptoki {
  readonly opened: bigint[];
  readonly closed: bigint[];
  readonly logins: string[];
}

/** A module with faults that no token shows on demand. */
export function fakeCryptoki({ pin }: { pin: string }): FakeCryptoki {
  const opened: bigint[] = [];
  const closed: bigint[] = [];
  const logins: string[] = [];
  const unused = () => Promise.reject(new Error('not part of this test'));
  return {
    opened,
    closed,
    logins,
    initialize: async () => undefined,
    slots: async () => [7n],
    tokenLabel: async () => 'authority',
    async openSession() {
      opened.push(BigInt(opened.length + 1));
      return BigInt(opened.length);
    },
    async closeSession(session) {
      closed.push(session);
    },
    async login(_, given) {
      logins.push(given);
      if (given !== pin) throw new Pkcs11Error('C_Login', 160);
    },
    findObjects: unused,
    attribute: unused,
    sign: unused,
    generateKeyPair: unused,
  };
}
