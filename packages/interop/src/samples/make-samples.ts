import type { KeyObject } from 'node:crypto';
import {
  encodeCertId,
  formatSerial,
  identityFields,
  issuerHashes,
  type KeyAlgorithm,
  lintCertificate,
  nameValue,
  ocspResponseTbs,
  type Pkcs12Encoding,
  parseCertificate,
  signCertificate,
  signOcspResponse,
  subscriberExpectation,
  subscriberProfile,
  subscriberSubject,
  subscriberTbs,
  subscriberValidity,
  writePkcs12,
} from '@rubrica/pki';
import { arc, type Choice, choices, person } from './choices.ts';
import {
  type Authorities,
  type Authority,
  exportPublicKey,
  makeAuthorities,
  makeCrl,
  makeKeyPair,
  makeResponder,
  makeSerial,
  now,
  pkiUrl,
  started,
  toPem,
  writer,
} from './world.ts';

/** One certificate with its PKCS#12 file, its paths and the values that a reader must find. */
export interface Sample {
  readonly name: string;
  readonly key: KeyAlgorithm;
  readonly encoding: Pkcs12Encoding;
  readonly p12: string;
  readonly password: string;
  readonly certificate: string;
  readonly isGood: boolean;
  readonly isIdentified: boolean;
  readonly documentSigning: boolean;
  readonly commonName: string;
  readonly firstSurname: string;
  readonly authority: string;
  readonly ocsp: string;
}

export interface World {
  readonly directory: string;
  readonly write: ReturnType<typeof writer>;
  readonly samples: readonly Sample[];
  /** Returns a path by name: `root.pem`, `issuing.pem`, `issuing.crl`, `issuing.crl.pem` and so on. */
  readonly file: (name: string) => string;
  readonly authorities: readonly string[];
}

/** Creates every sample in a folder: certificates, files, CRLs and OCSP answers. */
export async function makeSamples(directory: string, wanted = choices): Promise<World> {
  const write = writer(directory);
  const authorities = await makeAuthorities();
  const all = [authorities.root, ...authorities.issuing];
  for (const { name, certificate } of all) {
    write(`${name}.cer`, certificate);
    write(`${name}.pem`, toPem(certificate));
  }
  const responders = await Promise.all(authorities.issuing.map(makeResponder));
  const made = await Promise.all(
    wanted.map((choice) => makeSample(choice, { authorities, responders, write })),
  );
  const crls: string[] = [];
  for (const authority of all) {
    const entries = made.flatMap(({ entry, issuer }) => (entry && issuer === authority ? [entry] : []));
    const crl = await makeCrl(authority, entries);
    write(`${authority.name}.crl`, crl);
    crls.push(toPem(crl, 'X509 CRL'));
    write(`${authority.name}.crl.pem`, crls.at(-1) ?? '');
  }
  write('chain.pem', authorities.issuing.map(({ certificate }) => toPem(certificate)).join(''));
  write('crls.pem', crls.join(''));
  return {
    directory,
    write,
    samples: made.map(({ sample }) => sample),
    file: (name) => `${directory}/${name}`,
    authorities: all.map(({ name }) => name),
  };
}

async function makeSample(
  choice: Choice,
  at: {
    authorities: Authorities;
    responders: readonly Awaited<ReturnType<typeof makeResponder>>[];
    write: World['write'];
  },
) {
  const { name, key = 'RSA_2048', encoding = 'modern', status = 'good' } = choice;
  const issuer = at.authorities.issuing[choice.authority ?? 0] as Authority;
  const serial = makeSerial();
  const { publicKey, privateKey } = makeKeyPair(key);
  const { certificate, commonName, subscriber } = await certify(choice, { issuer, serial, publicKey, key });
  const password = choice.password ?? 'Secreto-123 $x"y';
  const p12 = await writePkcs12({
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
    certificate,
    chain: [issuer.certificate, at.authorities.root.certificate],
    password,
    friendlyName: commonName,
    encoding,
  });
  const reason = status === 'held' ? ('certificateHold' as const) : ('keyCompromise' as const);
  const entry = status === 'good' ? undefined : { serial: formatSerial(serial), revokedAt: started, reason };
  const responder = at.responders[choice.authority ?? 0] as (typeof at.responders)[number];
  const ocsp = await createAnswer(issuer, { responder, serial, reason: entry?.reason });
  const sample: Sample = {
    name,
    key,
    encoding,
    password,
    commonName,
    p12: at.write(`${name}.p12`, p12),
    certificate: at.write(`${name}.pem`, toPem(certificate)),
    ocsp: at.write(`${name}.ocsp`, ocsp),
    isGood: status === 'good',
    isIdentified: (choice.form ?? 'extensions') === 'extensions',
    documentSigning: choice.documentSigning ?? false,
    firstSurname: subscriber.firstSurname,
    authority: issuer.name,
  };
  at.write(`${name}.cer`, certificate);
  return { sample, entry, issuer };
}

/** Issues a certificate as generation does, and lints it before signing. */
async function certify(
  choice: Choice,
  {
    issuer,
    serial,
    publicKey,
    key,
  }: { issuer: Authority; serial: Uint8Array; publicKey: KeyObject; key: KeyAlgorithm },
) {
  const profile = subscriberProfile(
    choice.person ?? 'NATURAL_PERSON',
    choice.signature ?? 'TRADITIONAL_SIGNATURE',
  );
  const subscriber = { ...person, ...choice.subscriber };
  const subject = subscriberSubject(profile, subscriber, 'VATEC');
  const validity = subscriberValidity({
    period: choice.period ?? 'ONE_YEAR',
    now: started,
    timeZone: 'America/Guayaquil',
    issuerNotAfter: issuer.parsed.notAfter.date,
    appointmentEndsAt: undefined,
  });
  if (!subject.ok || !validity.ok) throw new Error(`${choice.name} cannot be certified`);
  const settings = { form: choice.form ?? 'extensions', arc, named: [] } as const;
  const tbs = subscriberTbs({
    profile,
    issuer: issuer.identity,
    publication: {
      policyArc: '1.3.6.1.4.1.32473.1',
      caIssuersUri: `${pkiUrl}/${issuer.name}.cer`,
      crlUri: `${pkiUrl}/${issuer.name}.crl`,
      ocspUri: `${pkiUrl}/ocsp`,
      documentSigning: choice.documentSigning ?? false,
      identityFields: settings,
    },
    subject: subject.value.attributes,
    email: 'maria@example.com',
    identityFields: identityFields(profile, subscriber, settings.named),
    serial,
    validity: validity.value,
    spki: exportPublicKey(publicKey),
  });
  const certificate = await signCertificate(tbs, issuer.identity.signatureAlgorithm, issuer.sign);
  const findings = lintCertificate(
    certificate,
    subscriberExpectation({
      profile,
      issuer: issuer.parsed,
      policyArc: '1.3.6.1.4.1.32473.1',
      rucPrefix: 'VATEC',
      identityFields: settings,
      keyAlgorithm: key,
      notAfterLimit: validity.value.notAfter,
    }),
  );
  const [finding] = findings;
  if (finding) throw new Error(`${choice.name}: ${finding.rule} ${finding.message}`);
  const read = parseCertificate(certificate);
  const commonName = (read.ok && nameValue(read.value.subject, 'commonName')) || '';
  return { certificate, commonName, subscriber };
}

function createAnswer(
  issuer: Authority,
  {
    responder,
    serial,
    reason,
  }: {
    responder: Awaited<ReturnType<typeof makeResponder>>;
    serial: Uint8Array;
    reason: 'certificateHold' | 'keyCompromise' | undefined;
  },
): Promise<Uint8Array> {
  const certId = encodeCertId({
    issuer: issuerHashes(issuer.parsed),
    hash: 'sha1',
    serial: formatSerial(serial),
  });
  const status = reason ? { revokedAt: started, reason } : 'good';
  const tbs = ocspResponseTbs({
    responderKeyId: responder.keyId,
    producedAt: now,
    responses: [
      { certId, status, thisUpdate: started, nextUpdate: new Date(now.getTime() + 24 * 3_600_000) },
    ],
  });
  return signOcspResponse(tbs, {
    signatureAlgorithm: 'ecdsa-with-SHA256',
    signer: responder.sign,
    certificates: [responder.certificate],
  });
}
