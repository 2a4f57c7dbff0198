// The shortest way: a transactional signature, whose certificate is fetched.
import { writeFileSync } from 'node:fs';
import { createRubrica } from '@rubrica/sdk';
import { makeReference, person } from './applicant.ts';
import { baseUrl, partner } from './settings.ts';

const rubrica = createRubrica({ baseUrl, ...partner });
const request = { referenceTransaction: makeReference() };
await rubrica.transactional.register({ ...person, ...request });
const { status, results } = await rubrica.transactional.waitForStatus(request);
if (status !== 'GENERATED') throw new Error(`${status}: ${JSON.stringify(results)}`);

const { file, password, serialNumber } = await rubrica.transactional.certificate(request);
const path = process.argv[2] ?? 'certificate.p12';
writeFileSync(path, file, 'base64');
process.stdout.write(`certificate ${serialNumber} is in ${path}, its password is ${password}\n`);
