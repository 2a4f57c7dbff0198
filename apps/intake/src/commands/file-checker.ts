import { runService } from '@rubrica/process/runner';
import { fileCheckerSettings, readFileCheckerConfig } from '../config.ts';
import { buildFileChecker } from '../requests/file-checks/remote/build-file-checker.ts';

/** Runs the process that decodes applicants' files for intake, without its keys and without a network. */
export function run(): Promise<void> {
  return runService({
    name: 'file-checker',
    settings: fileCheckerSettings,
    checks: [],
    config: readFileCheckerConfig,
    build: buildFileChecker,
  });
}
