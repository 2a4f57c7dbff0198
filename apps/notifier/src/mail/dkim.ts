import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export interface DkimOptions {
  readonly domainName: string;
  readonly keySelector: string;
  readonly privateKey: string;
}

export interface DkimSettings {
  readonly domain?: string;
  readonly selector?: string;
  readonly keyFile?: string;
}

const leastBits = 2_048;

/**
 * The key that mails are signed with (RFC 6376), or undefined where none is set.
 * @throws Error naming the setting, at boot: mail that goes out unsigned would be taken for spam unnoticed
 */
export async function readDkim(settings: DkimSettings): Promise<DkimOptions | undefined> {
  const { domain, selector, keyFile } = settings;
  if (domain === undefined || selector === undefined || keyFile === undefined) return undefined;
  const privateKey = await readFile(keyFile, 'utf8').catch((cause: unknown) => {
    throw new Error('DKIM_KEY_FILE cannot be read', { cause });
  });
  if (!isStrongRsa(privateKey)) {
    throw new Error(`DKIM_KEY_FILE must hold an RSA private key of at least ${leastBits} bits, as PEM`);
  }
  return { domainName: domain, keySelector: selector, privateKey };
}

function isStrongRsa(pem: string): boolean {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= leastBits;
  } catch {
    return false;
  }
}
