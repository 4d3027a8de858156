// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Probe} from "../src/Probe.sol";

/// The few of forge's cheat codes that are needed here, so that nothing has to be installed.
interface Vm {
    function startBroadcast(uint256 key) external;
    function stopBroadcast() external;
    function envUint(string calldata name) external view returns (uint256);
    function envAddress(string calldata name) external view returns (address);
    function serializeAddress(string calldata object, string calldata key, address value) external returns (string memory);
    function signAndAttachDelegation(address implementation, uint256 key) external;
    function addr(uint256 key) external pure returns (address);
    function writeJson(string calldata json, string calldata path) external;
}

/// Deploys, with and without CREATE2, writes and sends value, all broadcast.
contract DeployProbe {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public constant IS_SCRIPT = true;

    function run() external {
        vm.startBroadcast(vm.envUint("PROBE_KEY"));
        Probe probe = new Probe{value: 5}(7);
        Probe fixedPlace = new Probe{salt: keccak256("forge")}(7);
        probe.store{value: 3}(1, 42, "first");
        fixedPlace.store(2, 43, "second");
        (bool moved,) = vm.envAddress("PROBE_PEER").call{value: 1000}("");
        require(moved, "the transfer failed");
        vm.stopBroadcast();
        string memory json = vm.serializeAddress("places", "probe", address(probe));
        json = vm.serializeAddress("places", "create2", address(fixedPlace));
        vm.writeJson(json, "places.json");
    }
}

/// Gives another account the code of a probe (EIP-7702), and uses it in the same transaction.
contract DelegateProbe {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public constant IS_SCRIPT = true;

    function run() external {
        uint256 authority = vm.envUint("PROBE_AUTHORITY");
        vm.startBroadcast(vm.envUint("PROBE_KEY"));
        vm.signAndAttachDelegation(vm.envAddress("PROBE"), authority);
        Probe(payable(vm.addr(authority))).store(1, 9, "as an account");
        vm.stopBroadcast();
    }
}

/// Many transactions, which forge sends without waiting for one another.
contract SendMany {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public constant IS_SCRIPT = true;

    function run() external {
        vm.startBroadcast(vm.envUint("PROBE_KEY"));
        for (uint256 i = 0; i < 20; i++) {
            (bool moved,) = vm.envAddress("PROBE_PEER").call{value: 1}("");
            require(moved, "the transfer failed");
        }
        vm.stopBroadcast();
    }
}
