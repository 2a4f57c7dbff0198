/** What is kept of an evidence is not what was sent, or is gone: only the sender can mend that. */
export class EvidenceDamaged extends Error {
  constructor(evidenceId: string, reason: string) {
    super(`evidence ${evidenceId}: ${reason}`);
    this.name = 'EvidenceDamaged';
  }
}
