import { type Pkcs12Encoding, readPkcs12, readPkcs12Protection, writePkcs12 } from '@rubrica/pki';

/** File and password, before they are sealed. */
interface BundleContent {
  readonly file: string;
  readonly password: string;
}

function readFile(content: Uint8Array): { readonly der: Buffer; readonly password: string } {
  const { file, password } = JSON.parse(Buffer.from(content).toString('utf8')) as BundleContent;
  return { der: Buffer.from(file, 'base64'), password };
}

/** Returns whether the file has another encoding. */
export function needsReencoding(content: Uint8Array, encoding: Pkcs12Encoding): boolean {
  return readPkcs12Protection(readFile(content).der).encoding !== encoding;
}

/**
 * Writes the file of a bundle in another encoding, with the same key, certificates, name, password and iterations.
 * @param content JSON of `BundleContent`
 * @throws Error where the stored password does not open the bundle
 */
export async function reencodeBundle(content: Uint8Array, encoding: Pkcs12Encoding): Promise<Uint8Array> {
  const { der, password } = readFile(content);
  const protection = readPkcs12Protection(der);
  const contents = await readPkcs12(der, password);
  const [key] = contents.ok ? contents.value.keys : [];
  const [subscriber, ...authorities] = contents.ok ? contents.value.certificates : [];
  if (key === undefined || subscriber === undefined) throw new Error('a stored bundle does not open');
  const written = await writePkcs12({
    privateKey: key.privateKey,
    certificate: subscriber.certificate,
    chain: authorities.map(({ certificate }) => certificate),
    friendlyName: key.friendlyName ?? subscriber.friendlyName ?? '',
    password,
    encoding,
    iterations: protection.iterations,
  });
  return Buffer.from(JSON.stringify({ file: Buffer.from(written).toString('base64'), password }));
}
