import { nameValue, readPkcs12 } from '@rubrica/pki';
import { type StackInfo, startStack } from '@rubrica/stack';
import { startPartner } from '@rubrica/testkit';
import { freePort } from '@rubrica/testkit/processes';
import { stackHome } from '@rubrica/testkit/stack-home';
import { person } from './choices.ts';
import type { Sample, World } from './make-samples.ts';
import { byClaim, byWebhook, chooseP256, type Issued } from './served/issue.ts';
import { signInAdministrator } from './served/operator.ts';
import { addressesIn, askOcsp, crlNaming, download, nameIn, parsed } from './served/published.ts';
import { toPem, writer } from './world.ts';

/**
 * Collects the files of partners and subscribers. A whole stack with default settings issues the certificates.
 * Authorities, CRLs and OCSP answers come from the addresses in the certificates. The stack ends once they are
 * collected.
 */
export async function serveSamples(directory: string): Promise<World> {
  await using home = await stackHome('interop');
  await using stack = await startStack({ home: home.home, port: await freePort(), crashpoints: false });
  await home.remember(stack.info().databaseUrl);
  const issued = await issueAll(stack.info());
  return await collect(directory, issued);
}

async function issueAll(info: StackInfo): Promise<Issued[]> {
  const { baseUrl, partners } = info;
  await using sandbox = await startPartner({ baseUrl, partner: partners.sandbox });
  await using otp = await startPartner({ baseUrl, partner: partners.otp });
  const rsa = () => byWebhook(sandbox, { key: 'RSA_2048' });
  const [webhook, revoked, held, claimed] = await Promise.all([rsa(), rsa(), rsa(), byClaim(otp, info)]);
  await chooseP256(info);
  const p256 = await byWebhook(sandbox, { key: 'P_256' });
  const revocation = { serialNumber: revoked.serialNumber, reason: 'keyCompromise' };
  const { status, text } = await sandbox.rest.post('/manager/certificate/revoke', revocation);
  if (status !== 200) throw new Error(`not revoked (${status}): ${text}`);
  const administrator = await signInAdministrator(info);
  await administrator.change('certificates.hold', { serialNumber: held.serialNumber, reason: 'interop' });
  return [
    { ...webhook, name: 'served-webhook', isGood: true },
    { ...claimed, name: 'served-claim', isGood: true },
    { ...p256, name: 'served-p-256', isGood: true },
    { ...revoked, name: 'served-revoked', isGood: false },
    { ...held, name: 'served-held', isGood: false },
  ];
}

async function collect(directory: string, issued: readonly Issued[]): Promise<World> {
  const write = writer(directory);
  const opened = await Promise.all(issued.map(async (one) => ({ ...one, certificate: await readLeaf(one) })));
  const [first] = opened;
  if (first === undefined) throw new RangeError('nothing was issued');
  const at = addressesIn(first.certificate);
  const issuing = await download(at.issuer);
  const above = addressesIn(issuing);
  const root = await download(above.issuer);
  const bad = opened.filter(({ isGood }) => !isGood).map(({ serialNumber }) => serialNumber);
  const authorities = [
    { name: nameIn(above.issuer), certificate: root, crl: await download(above.crl) },
    { name: nameIn(at.issuer), certificate: issuing, crl: await crlNaming(at.crl, bad) },
  ];
  for (const { name, certificate, crl } of authorities) {
    write(`${name}.cer`, certificate);
    write(`${name}.pem`, toPem(certificate));
    write(`${name}.crl`, crl);
    write(`${name}.crl.pem`, toPem(crl, 'X509 CRL'));
  }
  write('chain.pem', toPem(issuing));
  write('crls.pem', authorities.map(({ crl }) => toPem(crl, 'X509 CRL')).join(''));
  const samples = await Promise.all(opened.map((one) => describe(one, { write, issuing })));
  return {
    directory,
    write,
    samples,
    file: (name) => `${directory}/${name}`,
    authorities: authorities.map(({ name }) => name),
  };
}

/** Reads the subscriber's certificate, the first in the file. */
async function readLeaf({ name, p12, password }: Issued): Promise<Uint8Array> {
  const opened = await readPkcs12(p12, password);
  const leaf = opened.ok ? opened.value.certificates[0]?.certificate : undefined;
  if (leaf === undefined) throw new Error(`${name} cannot be opened`);
  return leaf;
}

async function describe(
  {
    name,
    key,
    p12,
    password,
    serialNumber,
    isGood,
    certificate,
  }: Issued & { readonly certificate: Uint8Array },
  { write, issuing }: { write: World['write']; issuing: Uint8Array },
): Promise<Sample> {
  const at = addressesIn(certificate);
  const ocsp = await askOcsp(at.ocsp, { issuer: issuing, serial: serialNumber });
  write(`${name}.cer`, certificate);
  return {
    name,
    key,
    encoding: 'modern',
    password,
    isGood,
    p12: write(`${name}.p12`, p12),
    certificate: write(`${name}.pem`, toPem(certificate)),
    ocsp: write(`${name}.ocsp`, ocsp),
    isIdentified: true,
    documentSigning: false,
    commonName: nameValue(parsed(certificate).subject, 'commonName') ?? '',
    firstSurname: person.firstSurname,
    authority: nameIn(at.issuer),
  };
}
