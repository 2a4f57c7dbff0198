import type { World } from '../samples/make-samples.ts';
import { attempt, lacksProgram, type Outcome, type Reader, readProgramFault, run } from './reader.ts';

const dsig = 'http://www.w3.org/2000/09/xmldsig#';

/** Creates a document with an empty signature (XML Signature, section 2). */
function template(algorithm: 'rsa' | 'ecdsa'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<factura id="comprobante"><texto>Yo firmo, Ñúñez.</texto><Signature xmlns="${dsig}"><SignedInfo>
<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>
<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#${algorithm}-sha256"/>
<Reference URI=""><Transforms><Transform Algorithm="${dsig}enveloped-signature"/></Transforms>
<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue/></Reference></SignedInfo>
<SignatureValue/><KeyInfo><X509Data><X509Certificate/></X509Data></KeyInfo></Signature></factura>
`;
}

/**
 * Lists the arguments that trust the root and add the other authorities, one file each: xmlsec1 reads only the first
 * certificate of a file.
 */
export function chainArguments({ authorities, file }: World): string[] {
  const issuing = authorities.filter((name) => name !== 'root');
  return [
    ...['--trusted-pem', file('root.pem')],
    ...issuing.flatMap((name) => ['--untrusted-pem', file(`${name}.pem`)]),
  ];
}

export const xmlsec: Reader = {
  name: 'xmlsec1',
  does: 'opens, signs XML, verifies up to the root',
  missing: () => lacksProgram('xmlsec1', 'xmlsec1'),
  async read(world) {
    const { samples, write, directory } = world;
    const outcomes: Outcome[] = [];
    const chain = chainArguments(world);
    for (const sample of samples) {
      const signed = `${directory}/signed.xml`;
      const unsigned = write('template.xml', template(sample.key === 'P_256' ? 'ecdsa' : 'rsa'));
      outcomes.push(
        await attempt(sample, 'opens the file and signs', () =>
          readProgramFault(
            run('xmlsec1', [
              ...['--sign', '--pkcs12', sample.p12, '--pwd', sample.password],
              ...['--output', signed, unsigned],
            ]),
          ),
        ),
        await attempt(sample, 'verifies the signature', () =>
          readProgramFault(run('xmlsec1', ['--verify', ...chain, signed])),
        ),
      );
    }
    return outcomes;
  },
};
