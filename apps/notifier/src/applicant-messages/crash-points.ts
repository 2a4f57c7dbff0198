/** Points at which a test may kill this process while it sends a message, with the required outcome. */
export const crashPoints = {
  /** The mail is about to be sent. It is leased again when the lease ends. */
  mailBeforeSend: 'mail-before-send',
  /** The mail server has accepted the mail, nothing is recorded. It may be sent once more with the same Message-ID. */
  mailAfterSend: 'mail-after-send',
  /** The SMS is about to be sent. It is leased again when the lease ends. */
  smsBeforeSend: 'sms-before-send',
  /** The provider has accepted the SMS, nothing is recorded. It is sent once more with the same idempotency key. */
  smsAfterSend: 'sms-after-send',
} as const;
