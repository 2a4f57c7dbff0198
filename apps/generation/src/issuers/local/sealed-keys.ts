import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import { type KeyAlgorithm, keyAlgorithms, keySigner } from '@rubrica/pki';
import { type Keyring, KeyringError } from '@rubrica/process/keyring';
import type { AuthorityKeys } from '../authority-keys.ts';

/**
 * Creates the store of the built-in issuer's keys: sealed in the file of authorities, opened at the start and held in
 * memory. For testing and trials; a real authority keeps its keys in an HSM. Responders' keys are always here: they
 * sign often, for three months, and only answers.
 */
export function createSealedKeys({ sealTo, open }: Pick<Keyring, 'sealTo' | 'open'>): AuthorityKeys {
  return {
    async make(_name, algorithm) {
      const { publicKey, privateKey } = await makeKey(algorithm);
      const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
      const sealedKey = await sealTo('generation', pkcs8, createBinding(publicKey));
      const reference = { kind: 'sealed' as const, sealedKey };
      pkcs8.fill(0);
      return { reference, publicKey, sign: keySigner(privateKey) };
    },
    async open(reference, publicKey) {
      if (reference.kind !== 'sealed') throw new Error('the key is not sealed here');
      const pkcs8 = Buffer.from(
        await open(reference.sealedKey, createBinding(publicKey)).catch(throwKeyMismatch),
      );
      const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
      pkcs8.fill(0);
      if (!createPublicKey(key).equals(publicKey)) throw new Error("the key is not its certificate's");
      return keySigner(key);
    },
  };
}

/** Binds the seal to the public key of the certificate, so that a replaced key does not open. */
function createBinding(publicKey: KeyObject): SealBinding {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return { purpose: 'issuing-key', owner: createHash('sha256').update(spki).digest('hex') };
}

function throwKeyMismatch(error: unknown): never {
  if (!(error instanceof KeyringError) || error.fault !== 'other-binding') throw error;
  throw new Error("the key is not its certificate's", { cause: error });
}

function makeKey(algorithm: KeyAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const spec = keyAlgorithms[algorithm];
  return spec.kind === 'rsa'
    ? promisify(generateKeyPair)('rsa', { modulusLength: spec.modulusBits })
    : promisify(generateKeyPair)('ec', { namedCurve: spec.curve });
}
