import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';

/** A program of its own: where tests run, this library would be loaded from sources that Node does not read. */
const analysis = await checkPackage(createPackageFromTarballData(readFileSync(process.argv[2] ?? '')));
process.stdout.write(JSON.stringify(analysis.types ? analysis.problems : ['there are no types']));
