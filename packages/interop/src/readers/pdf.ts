import { readFileSync } from 'node:fs';
import { P12Signer } from '@signpdf/signer-p12';
import { SignPdf } from '@signpdf/signpdf';
import { serveAnswers } from '../samples/serve-answers.ts';
import { nssStore } from './nss.ts';
import {
  attempt,
  lacksProgram,
  type Outcome,
  type Reader,
  readProgramFault,
  runInParallel,
} from './reader.ts';

const placeholder = '0'.repeat(32_768);

/** Creates a page and a signature field with zeros as contents (ISO 32000-1, 12.8.1). */
function unsignedPdf(): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/SigFlags 3>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[4 0 R]>>',
    '<</Type/Annot/Subtype/Widget/FT/Sig/T(Firma)/Rect[0 0 0 0]/F 132/P 3 0 R/V 5 0 R>>',
    `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange [0 /********** /********** /**********]/Contents <${placeholder}>/M(D:20260101000000Z)>>`,
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

/** Signs a PDF with node-forge, and has Poppler, which trusts the test root through NSS, verify it. */
export const pdf: Reader = {
  name: '@signpdf, pdfsig',
  does: 'opens, signs a PDF, which pdfsig verifies up to the root and judges by OCSP',
  missing: () => lacksProgram('pdfsig', 'poppler-utils') ?? lacksProgram('certutil', 'libnss3-tools'),
  async read(world) {
    const { samples, write } = world;
    const store = nssStore(world, 'nss-pdf').slice('sql:'.length);
    // Without an answer from the responder, pdfsig reports a certificate without extended key usage as unknown.
    await using _ = await serveAnswers(samples);
    const outcomes: Outcome[] = [];
    for (const sample of samples) {
      if (sample.key === 'P_256') {
        outcomes.push({
          sample: sample.name,
          what: 'signs a PDF',
          cannot: 'node-forge knows RSA keys alone',
        });
        continue;
      }
      let shown = { status: 0 as number | null, output: '' };
      outcomes.push(
        await attempt(sample, 'opens the file and signs a PDF', async () => {
          const signer = new P12Signer(readFileSync(sample.p12), { passphrase: sample.password });
          const signed = await new SignPdf().sign(unsignedPdf(), signer);
          shown = await runInParallel('pdfsig', ['-nssdir', store, write('signed.pdf', signed)]);
          return readProgramFault(shown, /Signature Validation: Signature is Valid/.test(shown.output));
        }),
        await attempt(sample, 'judges by OCSP', () => {
          const wanted = sample.isGood ? 'Certificate is Trusted' : 'Certificate has been Revoked';
          return readProgramFault(shown, shown.output.includes(`Certificate Validation: ${wanted}`));
        }),
      );
    }
    return outcomes;
  },
};
