/**
 * A role with all its permissions in one inline policy. The CDK puts each later grant into a separate policy. This
 * would cost one more of a stack's 500 resources for each function, and some fifteen seconds in each deployment.
 */
import {
  type AddToPrincipalPolicyResult,
  type CfnRole,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledgements.ts';

interface OwnRoleProps {
  readonly description: string;
  /** The service that assumes the role: `lambda.amazonaws.com`. */
  readonly service: string;
  readonly statements?: readonly PolicyStatement[];
  /** Actions that IAM supports only on the resource `*`. */
  readonly unscopedActions?: readonly string[];
}

export class OwnRole extends Role {
  readonly #statements: PolicyDocument;

  constructor(scope: Construct, id: string, { description, service, statements, unscopedActions = [] }: OwnRoleProps) {
    const document = new PolicyDocument({ minimize: true, statements: [...(statements ?? [])] });
    const unscoped = new PolicyStatement({ actions: [...unscopedActions], resources: ['*'] });
    super(scope, id, {
      description,
      assumedBy: new ServicePrincipal(service),
      inlinePolicies: {
        Needs: document,
        ...(unscopedActions.length > 0 && { Unscoped: new PolicyDocument({ statements: [unscoped] }) }),
      },
    });
    this.#statements = document;
    if (unscopedActions.length > 0) acknowledge(this.node.defaultChild as CfnRole, 'unscopedAction');
  }

  /** Every grant of the CDK calls this method. */
  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#statements.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
