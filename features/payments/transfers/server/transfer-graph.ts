import type { Graph } from '@pc/platform/graphql/graph.ts'
import { addLegalDeadlineFields } from './legal-deadline-fields.ts'
import { addMarkPaymentFields } from './mark-payment-fields.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { addTransferFields } from './transfer-fields.ts'
import { addTransferFileFields } from './transfer-file-fields.ts'
import { addTransferMutations } from './transfer-mutations.ts'
import { addTransferPlanFields, transferRequestInput } from './transfer-plan-fields.ts'
import { addTransferRecallFields } from './transfer-recall-fields.ts'
import { addTransferResultFields } from './transfer-result-fields.ts'
import { transferTypes } from './transfer-type.ts'
import { addWithholdingMonthFields } from './withholding-month-fields.ts'

/** Everything about finalised payments on their way to the payees: transfers, bank files, results, journals. */
export function addTransferGraph(graph: Graph, dependencies: TransferFieldDependencies): void {
  const types = transferTypes(graph, dependencies)
  const request = transferRequestInput(graph)
  addTransferFields(graph, types, dependencies)
  addTransferPlanFields(graph, request, dependencies)
  addTransferMutations(graph, types, request, dependencies)
  addTransferRecallFields(graph, types, dependencies)
  addTransferResultFields(graph, types, dependencies)
  addTransferFileFields(graph, dependencies)
  addMarkPaymentFields(graph, dependencies)
  addLegalDeadlineFields(graph, dependencies)
  addWithholdingMonthFields(graph, dependencies)
}
