/** Points at which a test may kill this process, with the required outcome. */
export const crashPoints = {
  /** The job is received, nothing is stored. The job is redelivered. */
  deliveryBeforeStore: 'delivery-before-store',
  /**
   * The delivery is being stored as leased, nothing is sent. It is leased again when the lease ends, or its job is
   * redelivered.
   */
  deliveryBeforeSend: 'delivery-before-send',
  /** The partner has answered, nothing is recorded. The same id and bytes are sent once more. */
  deliveryAfterSend: 'delivery-after-send',
  /** The mail is about to be sent. It is leased again when the lease ends. */
  mailBeforeSend: 'mail-before-send',
  /** The mail server has accepted the mail, nothing is recorded. It may be sent once more with the same Message-ID. */
  mailAfterSend: 'mail-after-send',
  /** The SMS is about to be sent. It is leased again when the lease ends. */
  smsBeforeSend: 'sms-before-send',
  /** The provider has accepted the SMS, nothing is recorded. It is sent once more with the same idempotency key. */
  smsAfterSend: 'sms-after-send',
  /** The notice is about to be sent. It is leased again when the lease ends. */
  noticeBeforeSend: 'notice-before-send',
  /**
   * The mail server has accepted the notice, nothing is recorded. It may be sent once more with the same Message-ID.
   */
  noticeAfterSend: 'notice-after-send',
} as const;
