import 'reflect-metadata';
import { Body, Controller, HttpException, Inject, Module, Post } from '@nestjs/common';
import { PaymentsClient } from 'stablecoin-payments';
import { pay, readInvoice } from '../pay.ts';

@Controller('invoices')
export class InvoicesController {
  readonly #payments: PaymentsClient;

  constructor(@Inject(PaymentsClient) payments: PaymentsClient) {
    this.#payments = payments;
  }

  @Post('pay')
  async pay(@Body() given: unknown): Promise<Readonly<Record<string, string>>> {
    const invoice = readInvoice(given);
    if (invoice === undefined) throw new HttpException({ error: 'Send id, payer, payee and amount.' }, 400);
    const { status, body } = await pay(this.#payments, invoice);
    if (status >= 400) throw new HttpException(body, status);
    return body;
  }
}

/** Other modules import this one and inject `PaymentsClient`. Its options come from the environment. */
@Module({
  controllers: [InvoicesController],
  providers: [{ provide: PaymentsClient, useFactory: () => new PaymentsClient() }],
  exports: [PaymentsClient],
})
export class PaymentsModule {}
