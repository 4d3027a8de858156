// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Probe} from "../src/Probe.sol";

interface Vm {
    function envAddress(string calldata name) external view returns (address);
    function envUint(string calldata name) external view returns (uint256);
    function envString(string calldata name) external view returns (string memory);
    function prank(address sender) external;
    function deal(address account, uint256 balance) external;
    function createSelectFork(string calldata url, uint256 block) external returns (uint256);
    function expectRevert(bytes calldata data) external;

    struct EthGetLogs {
        address emitter;
        bytes32[] topics;
        bytes data;
        bytes32 blockHash;
        uint64 blockNumber;
        bytes32 transactionHash;
        uint64 transactionIndex;
        uint256 logIndex;
        bool removed;
    }

    function eth_getLogs(uint256 fromBlock, uint256 toBlock, address target, bytes32[] calldata topics)
        external
        returns (EthGetLogs[] memory);
    function rpc(string calldata method, string calldata params) external returns (bytes memory);
}

interface Multicall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory);
}

/// Runs on the state of the live network.
contract ForkTest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public constant IS_TEST = true;

    function probe() private view returns (Probe) {
        return Probe(payable(vm.envAddress("PROBE")));
    }

    function testReadsTheForkedState() external view {
        require(block.chainid == 7919, "chain id");
        require(probe().valueAt(1) == 42, "value");
        require(probe().allowed() == 7, "immutable");
        require(address(probe()).balance == 8, "balance");
    }

    function testWritesOnTopOfIt() external {
        address somebody = address(0xabcde);
        Probe target = probe();
        vm.deal(somebody, 1 ether);
        vm.prank(somebody);
        target.store{value: 1}(1, 99, "on the fork");
        require(target.valueAt(1) == 99, "value");
    }

    function testRefusals() external {
        Probe target = probe();
        vm.expectRevert(bytes("the probe refuses"));
        target.refuseWithText();
        vm.expectRevert(abi.encodeWithSelector(Probe.Refused.selector, address(this), 9, 7));
        target.refuseWithError(9);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x12));
        target.divide(1, 0);
    }

    function testReadsAPastBlock() external {
        vm.createSelectFork(vm.envString("PROBE_URL"), vm.envUint("PROBE_BLOCK"));
        require(block.number == vm.envUint("PROBE_BLOCK"), "number");
        require(address(probe()).code.length == 0, "the probe was not there yet");
    }

    function testReadsEvents() external {
        bytes32[] memory topics = new bytes32[](1);
        topics[0] = Probe.Stored.selector;
        Vm.EthGetLogs[] memory logs = vm.eth_getLogs(0, block.number, address(probe()), topics);
        require(logs.length > 0, "no events");
        require(logs[0].topics[2] == bytes32(uint256(1)), "topics");
    }

    function testMulticall() external {
        Multicall3.Call3[] memory calls = new Multicall3.Call3[](2);
        calls[0] = Multicall3.Call3(address(probe()), true, abi.encodeCall(Probe.valueAt, (1)));
        calls[1] = Multicall3.Call3(address(probe()), true, abi.encodeCall(Probe.refuseWithText, ()));
        Multicall3.Result[] memory results =
            Multicall3(0xcA11bde05977b3631167028862bE2a173976CA11).aggregate3(calls);
        require(abi.decode(results[0].returnData, (uint256)) == 42, "value");
        require(!results[1].success, "the refusal");
    }
}
