import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import { type KeyAlgorithm, keyAlgorithms, keySigner } from '@rubrica/pki';
import { type Keyring, KeyringError } from '@rubrica/process';
import type { AuthorityKeys } from '../authority-keys.ts';

/**
 * The built-in issuer's keys: sealed in the file of authorities, opened at the start and held in memory. For testing
 * and for trying the product out; a real authority keeps its keys in an HSM. Responders' keys always live here: they
 * sign often, for three months, and nothing but answers.
 */
export function sealedKeys({ sealTo, open }: Pick<Keyring, 'sealTo' | 'open'>): AuthorityKeys {
  return {
    async make(_name, algorithm) {
      const { publicKey, privateKey } = await makeKey(algorithm);
      const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
      const sealedKey = await sealTo('generation', pkcs8, bindingOf(publicKey));
      const reference = { kind: 'sealed' as const, sealedKey };
      pkcs8.fill(0);
      return { reference, publicKey, sign: keySigner(privateKey) };
    },
    async open(reference, publicKey) {
      if (reference.kind !== 'sealed') throw new Error('the key is not sealed here');
      const pkcs8 = Buffer.from(await open(reference.sealedKey, bindingOf(publicKey)).catch(tellOtherKey));
      const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
      pkcs8.fill(0);
      if (!createPublicKey(key).equals(publicKey)) throw new Error("the key is not its certificate's");
      return keySigner(key);
    },
  };
}

/** The public key comes from the certificate: a key that was put in the place of another does not open. */
function bindingOf(publicKey: KeyObject): SealBinding {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return { purpose: 'issuing-key', owner: createHash('sha256').update(spki).digest('hex') };
}

function tellOtherKey(error: unknown): never {
  if (!(error instanceof KeyringError) || error.fault !== 'other-binding') throw error;
  throw new Error("the key is not its certificate's", { cause: error });
}

function makeKey(algorithm: KeyAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const wanted = keyAlgorithms[algorithm];
  return wanted.kind === 'rsa'
    ? promisify(generateKeyPair)('rsa', { modulusLength: wanted.modulusBits })
    : promisify(generateKeyPair)('ec', { namedCurve: wanted.curve });
}
