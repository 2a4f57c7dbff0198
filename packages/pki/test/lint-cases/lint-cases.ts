import { extensionCases } from './extension-cases.ts';
import { addressCases, identifierCases } from './identifier-cases.ts';
import { identityCases } from './identity-cases.ts';
import { keyCases } from './key-cases.ts';
import type { LintCases } from './lint-case.ts';
import { responderCases } from './responder-cases.ts';
import { structureCases } from './structure-cases.ts';
import { subjectCases } from './subject-cases.ts';

/** A good and a bad certificate of every rule, by the rule's id. */
export const lintCases: LintCases = {
  ...structureCases,
  ...subjectCases,
  ...keyCases,
  ...extensionCases,
  ...identifierCases,
  ...identityCases,
  ...addressCases,
  ...responderCases,
};
