/**
 * Fixed source addresses for calls to receivers, for integrators with an allow list: `-c egress=nat`. Functions that
 * call receivers are then in a VPC, whose only way out is a NAT gateway in each of two zones.
 */
import { CfnOutput } from 'aws-cdk-lib';
import {
  CfnEIP,
  GatewayVpcEndpointAwsService,
  IpAddresses,
  type IVpc,
  NatProvider,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledgements.ts';
import type { Stage } from '../stage.ts';

const zones = 2;

export class Egress extends Construct {
  readonly vpc: Vpc;
  readonly securityGroup: SecurityGroup;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: Stage }) {
    super(scope, id);
    const addresses = Array.from({ length: zones }, (_, i) => new CfnEIP(this, `Address${i + 1}`, { domain: 'vpc' }));
    this.vpc = new Vpc(this, 'Network', {
      vpcName: `${stage.prefix}-egress`,
      ipAddresses: IpAddresses.cidr('10.0.0.0/20'),
      maxAzs: zones,
      natGateways: zones,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: addresses.map((one) => one.attrAllocationId) }),
      // The default security group allows nothing, and is not used.
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [
        { name: 'Gateways', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false, cidrMask: 28 },
        { name: 'Functions', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 23 },
      ],
      // A gateway endpoint saves the price per gigabyte for traffic to the tables.
      gatewayEndpoints: { Tables: { service: GatewayVpcEndpointAwsService.DYNAMODB } },
    });
    acknowledge(this.vpc, 'attemptsAreLogged');
    this.securityGroup = new SecurityGroup(this, 'Functions', {
      vpc: this.vpc as IVpc,
      description: `Functions of ${stage.prefix} that call receivers: out to anywhere, in from nowhere`,
    });
    for (const [i, address] of addresses.entries()) {
      new CfnOutput(this, `EgressAddress${i + 1}`, {
        description: 'An address from which receivers are called',
        value: address.attrPublicIp,
      });
    }
  }
}
